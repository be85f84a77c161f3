// Profiles of the people who work on a workspace.

import type { AnnotatorProfile, Role } from '../../app/contract/annotators.ts';
import type { ReadDb, WriteDb } from '../connection.ts';

/** Everyone with a profile or a label in force, by name. Who has labels only counts as an annotator. */
export function annotatorProfiles(db: ReadDb): AnnotatorProfile[] {
  return db.all<AnnotatorProfile>(
    `SELECT n.name, COALESCE(a.role, 'annotator') AS role,
       (SELECT COUNT(*) FROM current_labels c WHERE c.annotator = n.name) AS labels,
       (SELECT MAX(at) FROM labels l WHERE l.annotator = n.name) AS lastAt
     FROM (SELECT name FROM annotators UNION SELECT annotator FROM labels) n LEFT JOIN annotators a ON a.name = n.name
     ORDER BY n.name`,
  );
}

/** The profiles that were added, with their roles, by name. */
export function addedAnnotators(db: ReadDb): { name: string; role: Role }[] {
  return db.all('SELECT name, role FROM annotators ORDER BY name');
}

/** Adds a profile; with `keep` an existing one keeps its role. */
export function addAnnotator(db: WriteDb, name: string, role: Role, keep = false): void {
  db.run(
    `INSERT INTO annotators (name, role, created_at) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET role = CASE WHEN ? THEN role ELSE excluded.role END`,
    name,
    role,
    new Date().toISOString(),
    keep ? 1 : 0,
  );
}

/** Takes a profile away; labels keep the name. */
export function removeAnnotator(db: WriteDb, name: string): void {
  db.run('DELETE FROM annotators WHERE name = ?', name);
}
