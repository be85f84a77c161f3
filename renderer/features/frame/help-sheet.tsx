// The `?` sheet: every shortcut of the current screen, from the action table.

import { type ActionDefinition, scopes } from '../../action-table.ts';
import { useActionsHere, useKeyed } from '../../actions.ts';
import { usePreferences } from '../../preferences.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { keyLabel } from '../../ui/keys.ts';

const scopeTitles: Record<ActionDefinition['scope'], string> = {
  app: 'Everywhere',
  library: 'Library',
  rollout: 'Rollout',
  imports: 'Imports',
  filter: 'Filter',
  agreement: 'Agreement',
  adjudicate: 'Adjudicate',
  schemas: 'Label schema',
  judge: 'Judge',
  advantages: 'Advantages',
  whatIf: 'What if',
  group: 'Group',
  queues: 'Queues',
  review: 'Review',
};

/** Whether inner scopes take all keys of an action: pressing them does something else here. */
function isCovered(action: ActionDefinition, all: readonly ActionDefinition[]): boolean {
  const rank = scopes.indexOf(action.scope);
  return action.keys.every((key) =>
    all.some((other) => scopes.indexOf(other.scope) > rank && other.keys.includes(key)),
  );
}

/** The sheet. */
export function HelpSheet(props: { readonly open: boolean; readonly onOpenChange: (open: boolean) => void }) {
  const actions = useActionsHere().filter((action) => action.keys.length > 0);
  const keyed = useKeyed();
  const singleKeys = usePreferences((preferences) => preferences.singleKeys);
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="Keyboard shortcuts"
      description={
        singleKeys
          ? 'Single keys are off while a text field has the focus, and can be turned off in Settings.'
          : 'Single keys are turned off in Settings; keys with Ctrl or Command work.'
      }
    >
      <div className="dialog-body help">
        {scopes.toReversed().map((scope) => {
          const listed = actions.filter((action) => action.scope === scope && !isCovered(action, actions));
          return listed.length === 0 ? null : (
            <section key={scope} aria-label={scopeTitles[scope]}>
              <h3 className="section-title">{scopeTitles[scope]}</h3>
              <dl>
                {keyed?.scope === scope &&
                  keyed.actions.map((action) => (
                    <div key={action.key} className="help-row">
                      <dt>{action.title}</dt>
                      <dd>
                        <kbd>{keyLabel(action.key)}</kbd>
                      </dd>
                    </div>
                  ))}
                {listed.map((action) => (
                  <div key={action.id} className="help-row">
                    <dt>{action.title}</dt>
                    <dd>
                      {action.keys.map((key) => (
                        <kbd key={key}>{keyLabel(key)}</kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          );
        })}
      </div>
    </Dialog>
  );
}
