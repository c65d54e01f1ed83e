// What a table of PostgreSQL has beside its rows, which is gone when it is made anew; and what rests on it.

import type { Connection } from '../postgres/index.js';
import { tableSql } from './sql.js';

/** Each as what it is and its name, by the table's number $1. */
const LOSSES = `
  SELECT 1 AS place, 'partitions' AS what, inhrelid::regclass::text AS name FROM pg_inherits JOIN own ON inhparent = own.oid
  UNION ALL SELECT 2, 'its place below', inhparent::regclass::text FROM pg_inherits JOIN own ON inhrelid = own.oid
  UNION ALL SELECT CASE contype WHEN 'f' THEN 3 ELSE 4 END, CASE contype WHEN 'f' THEN 'foreign keys' ELSE 'constraints' END, conname
    FROM pg_constraint JOIN own ON conrelid = own.oid WHERE contype IN ('p', 'u', 'c', 'x', 'f')
  UNION ALL SELECT 5, 'policies', polname FROM pg_policy JOIN own ON polrelid = own.oid
  UNION ALL SELECT 6, 'row security', 'on' FROM own WHERE relrowsecurity OR relforcerowsecurity
  UNION ALL SELECT 7, 'triggers', tgname FROM pg_trigger JOIN own ON tgrelid = own.oid WHERE NOT tgisinternal
  UNION ALL SELECT 8, 'rules', rulename FROM pg_rewrite JOIN own ON ev_class = own.oid
  UNION ALL SELECT 9, 'grants', may.privilege_type || ' to ' || CASE may.grantee WHEN 0 THEN 'PUBLIC' ELSE may.grantee::regrole::text END
    FROM own, (
      SELECT (aclexplode(relacl)).* FROM own
      UNION SELECT (aclexplode(attacl)).* FROM pg_attribute JOIN own ON attrelid = own.oid
      EXCEPT SELECT (aclexplode(defaclacl)).* FROM pg_default_acl JOIN own ON defaclnamespace IN (0, own.relnamespace)
        WHERE defaclobjtype = 'r' AND defaclrole = (SELECT oid FROM pg_roles WHERE rolname = current_user)
    ) AS may WHERE may.grantee <> own.relowner
  UNION ALL SELECT 9, 'its lack of grants', gets.privilege_type || ' to ' || CASE gets.grantee WHEN 0 THEN 'PUBLIC' ELSE gets.grantee::regrole::text END
    FROM own, (
      SELECT (aclexplode(defaclacl)).* FROM pg_default_acl JOIN own ON defaclnamespace IN (0, own.relnamespace)
        WHERE defaclobjtype = 'r' AND defaclrole = (SELECT oid FROM pg_roles WHERE rolname = current_user)
      EXCEPT SELECT (aclexplode(relacl)).* FROM own
    ) AS gets WHERE gets.grantee <> own.relowner
  UNION ALL SELECT 10, 'its owner', relowner::regrole::text FROM own WHERE relowner <> (SELECT oid FROM pg_roles WHERE rolname = current_user)
  UNION ALL SELECT 11, 'indexes', indexrelid::regclass::text FROM pg_index JOIN own ON indrelid = own.oid
    WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND conrelid = indrelid)
  UNION ALL SELECT 12, 'defaults', attname FROM pg_attribute JOIN own ON attrelid = own.oid
    WHERE attnum > 0 AND NOT attisdropped AND (atthasdef OR attidentity <> '')
  UNION ALL SELECT 12, 'sequences', objid::regclass::text FROM pg_depend JOIN own ON refobjid = own.oid
    WHERE classid = 'pg_class'::regclass AND refclassid = 'pg_class'::regclass AND deptype = 'a' AND refobjsubid > 0
      AND EXISTS (SELECT FROM pg_class WHERE pg_class.oid = objid AND relkind = 'S')
  UNION ALL SELECT 13, 'NOT NULL', attname FROM pg_attribute JOIN own ON attrelid = own.oid WHERE attnum > 0 AND NOT attisdropped AND attnotnull
  UNION ALL SELECT 14, 'comments', CASE objsubid WHEN 0 THEN 'on the table' ELSE (SELECT attname FROM pg_attribute WHERE attrelid = own.oid AND attnum = objsubid) END
    FROM pg_description JOIN own ON objoid = own.oid WHERE classoid = 'pg_class'::regclass
  UNION ALL SELECT 15, 'security labels', provider FROM pg_seclabel JOIN own ON objoid = own.oid WHERE classoid = 'pg_class'::regclass
  UNION ALL SELECT 16, 'publications', pubname FROM pg_publication_rel JOIN own ON prrelid = own.oid JOIN pg_publication p ON p.oid = prpubid
  UNION ALL SELECT 17, 'statistics', stxname FROM pg_statistic_ext JOIN own ON stxrelid = own.oid
  UNION ALL SELECT 18, 'settings', unnest(reloptions) FROM own
  UNION ALL SELECT 18, 'settings', attname FROM pg_attribute JOIN own ON attrelid = own.oid JOIN pg_type ON pg_type.oid = atttypid
    WHERE attnum > 0 AND NOT attisdropped
      AND (coalesce(attstattarget, -1) >= 0 OR attoptions IS NOT NULL OR attstorage <> typstorage OR attcompression <> '')
  UNION ALL SELECT 18, 'settings', 'tablespace' FROM own WHERE reltablespace <> 0
  UNION ALL SELECT 18, 'settings', 'replica identity' FROM own WHERE relreplident <> 'd'
  UNION ALL SELECT 18, 'settings', 'unlogged' FROM own WHERE relpersistence = 'u'
  UNION ALL SELECT 18, 'settings', 'of a type' FROM own WHERE reloftype <> 0`;

/** All that is lost with the table beside its rows, by name; null where that is nothing. */
export async function lossesOf(connection: Connection, table: string): Promise<string | null> {
  const { rows } = await connection.query(
    `WITH own AS (SELECT * FROM pg_class WHERE oid = to_regclass($1))
     SELECT what, array_agg(DISTINCT name::text) AS names FROM (${LOSSES}) AS lost GROUP BY place, what ORDER BY place`,
    [tableSql(table)],
  );
  return inWords(rows);
}

/** What others have made of it, which nobody takes away unasked: views, foreign keys of other tables, children; null where there is nothing. */
export async function restingOn(connection: Connection, table: string): Promise<string | null> {
  const { rows } = await connection.query(
    `WITH own AS (SELECT oid, reltype FROM pg_class WHERE oid = to_regclass($1)),
       types AS (SELECT reltype AS oid FROM own UNION SELECT t.oid FROM pg_type t JOIN own ON t.typelem = own.reltype),
       mine AS (SELECT d.classid, d.objid FROM pg_depend d JOIN own ON d.refobjid = own.oid AND d.refclassid = 'pg_class'::regclass
         WHERE d.deptype IN ('a', 'i') UNION SELECT 'pg_type'::regclass, oid FROM types)
     SELECT DISTINCT regexp_replace(pg_describe_object(d.classid, d.objid, d.objsubid), '^rule _RETURN on ', '') AS name FROM pg_depend d
     WHERE d.deptype = 'n' AND (d.refclassid = 'pg_class'::regclass AND d.refobjid = (SELECT oid FROM own)
         OR d.refclassid = 'pg_type'::regclass AND d.refobjid IN (SELECT oid FROM types))
       AND NOT EXISTS (SELECT FROM mine WHERE mine.classid = d.classid AND mine.objid = d.objid)
     ORDER BY 1`,
    [tableSql(table)],
  );
  return rows.length === 0 ? null : listed(rows.map(({ name }) => name as string));
}

const MOST = 5;

function inWords(
  rows: readonly { readonly what: string; readonly names: readonly string[] }[],
): string | null {
  if (rows.length === 0) return null;
  return rows.map(({ what, names }) => `${what} (${listed(names)})`).join(', ');
}

/** A few of them, and none that would break a line. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST).map((name) => (/\p{Cc}/u.test(name) ? 'one with an odd name' : name));
  return `${shown.join(', ')}${names.length > MOST ? ` and ${names.length - MOST} more` : ''}`;
}
