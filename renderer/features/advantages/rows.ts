// The rows of a comparison in the order and the selection that the URL asks for. Pure.

import type { VerifiedRow } from '../../../app/contract/index.ts';
import type { RolloutRoute } from '../../routes.ts';

/** Orders of the rows; the first is the default: findings first, the surest first. */
export const orders = ['finding', 'rollout', 'step', 'agreeing', '-worst'] as const;
export type Order = (typeof orders)[number];

export const orderTitles: Readonly<Record<Order, string>> = {
  finding: 'findings first',
  rollout: 'by name',
  step: 'by training step',
  agreeing: 'least agreeing first',
  '-worst': 'worst difference first',
};

/** The order of a route; the default for what is none. */
export function orderOf(sort: string | undefined): Order {
  return orders.find((order) => order === sort) ?? 'finding';
}

const statusOrder = ['found', 'refused', 'clean', 'not-logged'] as const;

/** Those with the diagnosis `show`, or all, in order. The order of the job breaks ties. */
export function shownRows(rows: readonly VerifiedRow[], show: string | undefined, order: Order): VerifiedRow[] {
  const chosen = show === undefined ? rows : rows.filter(({ code }) => code === show);
  return chosen.toSorted((a, b) => compare(a, b, order));
}

function compare(a: VerifiedRow, b: VerifiedRow, order: Order): number {
  switch (order) {
    case 'finding':
      return statusOrder.indexOf(a.status) - statusOrder.indexOf(b.status) || b.confidence - a.confidence;
    case 'rollout':
      return nameOf(a).localeCompare(nameOf(b), 'en', { numeric: true });
    case 'step':
      return (
        number(a.trainingStep) - number(b.trainingStep) || nameOf(a).localeCompare(nameOf(b), 'en', { numeric: true })
      );
    case 'agreeing':
      return number(a.fit?.agreeing) - number(b.fit?.agreeing);
    case '-worst':
      return (b.fit?.worst ?? -1) - (a.fit?.worst ?? -1);
  }
}

/** Missing figures go last. */
function number(value: number | null | undefined): number {
  return value ?? Number.MAX_VALUE;
}

/** What a person calls the rollout. */
export function nameOf({ id, externalId }: Pick<VerifiedRow, 'id' | 'externalId'>): string {
  return externalId ?? id;
}

/** The rollout where it parts from what is recomputed; its beginning where it does not. */
export function routeOf({ id, place }: Pick<VerifiedRow, 'id' | 'place'>): RolloutRoute {
  return place === null
    ? { screen: 'rollout', id, run: 'logged' }
    : { screen: 'rollout', id, run: 'logged', seg: place.segment, token: place.token };
}
