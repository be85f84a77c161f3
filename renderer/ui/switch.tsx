// An on/off switch.

import { Switch as Base } from '@base-ui/react/switch';

/** A switch; `label` names it where no visible label is tied to it. */
export function Switch(props: {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}) {
  return (
    <Base.Root
      className="switch"
      aria-label={props.label}
      checked={props.checked}
      onCheckedChange={(checked) => props.onChange(checked)}
    >
      <Base.Thumb className="switch-thumb" />
    </Base.Root>
  );
}
