// The people who work on the workspace: profiles with roles and, on a headless host, a link for each. An admin's.

import { type FormEvent, useState } from 'react';
import {
  type AnnotatorLink,
  type AnnotatorProfile,
  annotatorName,
  type Role,
  roles,
} from '../../../app/contract/index.ts';
import { useAnnotatorChanges, useAnnotators, useLinks, useMe } from '../../data/annotators.ts';
import { useHello } from '../../data/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount, formatMoment } from '../../ui/format.ts';
import { Select } from '../../ui/select.tsx';
import { toast } from '../../ui/toast.tsx';

const roleOptions = [
  { value: 'viewer', label: 'viewer', detail: 'reads' },
  { value: 'annotator', label: 'annotator', detail: 'labels, works on queues' },
  { value: 'adjudicator', label: 'adjudicator', detail: 'also makes queues, decides disputes' },
  { value: 'admin', label: 'admin', detail: 'may do everything' },
] as const satisfies readonly { readonly value: Role; readonly label: string; readonly detail: string }[];

/** The section; for others than admins it says what they are. */
export function Annotators() {
  const me = useMe();
  const readOnly = useHello()?.capabilities.readOnly ?? true;
  const isAdmin = me?.role === 'admin';
  const annotators = useAnnotators();
  const links = useLinks(isAdmin);
  if (me === undefined) return null;
  if (!isAdmin) {
    return (
      <section className="about" aria-labelledby="setting-annotators">
        <h2 id="setting-annotators">Annotators</h2>
        <p className="muted">
          This link is {me.annotator}’s, as {me.role === 'viewer' ? 'a' : 'an'} {me.role}. Profiles, roles and links are
          an admin’s.
        </p>
      </section>
    );
  }
  const available = links.data?.available === true;
  return (
    <section className="about" aria-labelledby="setting-annotators">
      <h2 id="setting-annotators">Annotators</h2>
      <p className="muted">
        {available
          ? 'Everybody has a link of their own: it says who labels and what they may do. Copy it and hand it over as you would a password. Links end with the server; the next start makes new ones for the same people.'
          : 'Roles count where somebody comes by a link of their own: “rollscope serve” makes one for each of these. Here you switch between names at the bottom of the window.'}
      </p>
      <table className="setting-people">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Role</th>
            <th scope="col" className="number">
              Labels
            </th>
            <th scope="col">Last label</th>
            <th scope="col">{available ? 'Link' : <span className="visually-hidden">Changes</span>}</th>
          </tr>
        </thead>
        <tbody>
          {(annotators.data ?? []).map((profile) => (
            <Person
              key={profile.name}
              profile={profile}
              link={links.data?.links.find(({ annotator }) => annotator === profile.name)}
              available={available}
              readOnly={readOnly}
            />
          ))}
        </tbody>
      </table>
      {annotators.data?.length === 0 && <p className="muted">Nobody yet.</p>}
      {!readOnly && <Add available={available} known={(annotators.data ?? []).map(({ name }) => name)} />}
    </section>
  );
}

function Person(props: {
  readonly profile: AnnotatorProfile;
  readonly link: AnnotatorLink | undefined;
  readonly available: boolean;
  readonly readOnly: boolean;
}) {
  const { profile, link, available, readOnly } = props;
  const { name, role, labels, lastAt } = profile;
  const { add, remove, link: give, revoke } = useAnnotatorChanges();
  const copy = (url: string): void => {
    navigator.clipboard.writeText(url).then(
      () => toast({ title: `The link of ${name} is in the clipboard` }),
      () => toast({ title: 'The link could not be copied', description: url, tone: 'error' }),
    );
  };
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <Select
          label={`Role of ${name}`}
          value={role}
          options={roleOptions}
          disabled={readOnly || add.isPending}
          onChange={(next) => add.mutate({ name, role: next })}
        />
      </td>
      <td className="number">{formatCount(labels)}</td>
      <td className="muted">{formatMoment(lastAt)}</td>
      <td>
        <span className="setting-link">
          {available && link !== undefined && (
            <>
              <Button onClick={() => copy(link.url)} aria-label={`Copy link of ${name}`}>
                Copy link
              </Button>
              <Button
                variant="danger"
                disabled={revoke.isPending}
                onClick={() => revoke.mutate({ name })}
                aria-label={`Revoke the link of ${name}`}
              >
                Revoke
              </Button>
            </>
          )}
          {available && (
            <Button
              disabled={readOnly || give.isPending}
              onClick={() => give.mutate({ name, role })}
              aria-label={link === undefined ? `Make a link for ${name}` : `New link for ${name}`}
              title={link === undefined ? undefined : 'The one before stops working'}
            >
              {link === undefined ? 'Make a link' : 'New link'}
            </Button>
          )}
          <Button
            variant="quiet"
            disabled={readOnly || remove.isPending}
            onClick={() => remove.mutate({ name })}
            aria-label={`Remove the profile of ${name}`}
            title="Labels stay: the ledger keeps the name"
          >
            Remove
          </Button>
        </span>
      </td>
    </tr>
  );
}

function Add({ available, known }: { readonly available: boolean; readonly known: readonly string[] }) {
  const { add, link } = useAnnotatorChanges();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('annotator');
  const parsed = annotatorName.safeParse(name);
  const taken = parsed.success && known.includes(parsed.data);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!parsed.success || taken) return;
    (available ? link : add).mutate({ name: parsed.data, role }, { onSuccess: () => setName('') });
  };
  return (
    <form className="setting-add" onSubmit={submit}>
      <input
        className="field"
        aria-label="Name of a new annotator"
        placeholder="Name"
        maxLength={60}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={name !== '' && (!parsed.success || taken)}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Select
        label="Role of the new annotator"
        value={role}
        options={roleOptions}
        onChange={(value) => setRole(roles.find((each) => each === value) ?? 'annotator')}
      />
      <Button type="submit" disabled={!parsed.success || taken || add.isPending || link.isPending}>
        {available ? 'Add with a link' : 'Add'}
      </Button>
      {taken && <span className="field-error">{name.trim()} is there already.</span>}
    </form>
  );
}
