import { randomUUID } from 'node:crypto'
import { CompiledQuery } from 'kysely'
import type { Pool } from 'pg'
import { isoInstant } from '../market/units.ts'
import { type FiringRow, type SchemaWords, statement } from './accounts-schema.ts'
import type { Queries } from './database.ts'
import { streamSharingOver } from './postgres-streams.ts'
import type { AskedRequests, GrantedRequests, Sharing } from './sharing.ts'

/**
 * The clock of the accounts, as the text of an instant, and the grant of requests. An answered request belongs to the
 * day of this clock, whatever the clocks of services say. Requests that wait are granted as far as the limit goes; those
 * fetched ahead are at most a 64th of what is left then, so that near the limit each is granted by itself and no service
 * holds what a user of another one is refused.
 */
export const sharingFunctions: SchemaWords['sharing'] = () => [
  statement(`CREATE FUNCTION accounts_now() RETURNS timestamptz LANGUAGE sql AS 'SELECT clock_timestamp()'`),
  statement(`CREATE FUNCTION accounts_instant(later interval DEFAULT '0') RETURNS text LANGUAGE sql AS
$$ SELECT to_char((accounts_now() + later) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$`),
  statement(`CREATE FUNCTION reserve_requests(
  users text[], days text[], wanted int[], minima int[], ahead int[], back int[], of_panels int[], limits int[]
) RETURNS TABLE (granted int, counted int, at text) LANGUAGE plpgsql SET lock_timeout = '1500ms' AS $$
DECLARE
  today text;
  rest int;
  of_today int;
BEGIN
  FOR k IN 1 .. cardinality(users) LOOP
    at := accounts_instant();
    today := left(at, 10);
    IF days[k] <> today THEN
      UPDATE usage u SET count = greatest(0, u.count - back[k]), panel_count = greatest(0, u.panel_count + of_panels[k])
      WHERE u.user_id = users[k] AND u.day = days[k];
      back[k] := 0;
      of_panels[k] := 0;
    END IF;
    SELECT u.count INTO counted FROM usage u WHERE u.user_id = users[k] AND u.day = today FOR UPDATE;
    IF NOT FOUND THEN
      INSERT INTO usage (user_id, day, count) VALUES (users[k], today, 0) ON CONFLICT DO NOTHING;
      SELECT u.count INTO counted FROM usage u WHERE u.user_id = users[k] AND u.day = today FOR UPDATE;
    END IF;
    of_today := greatest(0, counted - back[k]);
    rest := greatest(0, limits[k] - of_today);
    granted := CASE WHEN rest < minima[k] THEN 0 ELSE least(wanted[k], rest) END;
    granted := granted + least(ahead[k], (rest - granted) / 64);
    IF of_today + granted <> counted OR of_panels[k] <> 0 THEN
      UPDATE usage u SET count = of_today + granted, panel_count = greatest(0, u.panel_count + of_panels[k])
      WHERE u.user_id = users[k] AND u.day = today;
    END IF;
    counted := of_today + granted;
    RETURN NEXT;
  END LOOP;
END $$`)
]

const RESERVE = 'SELECT granted, counted, at FROM reserve_requests($1, $2, $3, $4, $5, $6, $7, $8)'

/** How long a claimed firing is left to the service that claimed it. A message takes ten seconds at most. */
const CLAIM = '30 seconds'
/** Locked rows are those that others are claiming now. */
const CLAIM_FIRINGS = `UPDATE alert_firings SET claimed_by = $1, claimed_until = accounts_instant('${CLAIM}')
WHERE id IN (
  SELECT id FROM alert_firings
  WHERE delivery = 'waiting' AND webhook_id = $2 AND next_attempt_at <= $3
    AND (claimed_until IS NULL OR claimed_until <= accounts_instant())
  ORDER BY next_attempt_at, at LIMIT $4 FOR UPDATE SKIP LOCKED
) RETURNING *`

const HOLD = `INSERT INTO roles AS r (name, holder, fence, until) VALUES ($1, $2, 1, accounts_instant('2 seconds'))
ON CONFLICT (name) DO UPDATE SET
  fence = r.fence + (r.holder <> $2)::int, holder = $2, until = accounts_instant('2 seconds')
WHERE r.holder = $2 OR r.until <= accounts_instant() RETURNING fence`
const RELEASE = 'UPDATE roles SET until = accounts_instant() WHERE name = $1 AND holder = $2'

/** Sharing over a PostgreSQL server. `guarded` converts errors of its connections. */
export function sharingOver(
  { connected, requests }: { readonly connected: Queries; readonly requests: Pool },
  guarded: <Result>(work: () => Promise<Result>) => Promise<Result>
): Sharing {
  const name = randomUUID()
  return {
    name,
    claimFirings: (webhookId, now, limit) =>
      guarded(async () => {
        const { rows } = await connected.executeQuery<FiringRow>(
          CompiledQuery.raw(CLAIM_FIRINGS, [name, webhookId, isoInstant(now), limit])
        )
        return rows.toSorted((a, b) => (a.next_attempt_at! < b.next_attempt_at! ? -1 : 1))
      }),
    hold: (role) =>
      guarded(async () => {
        const { rows } = await requests.query<{ fence: number }>(HOLD, [role, name])
        return rows[0]?.fence
      }),
    release: (role) => guarded(async () => void (await requests.query(RELEASE, [role, name]))),
    reserve: (asked) =>
      guarded(async () => {
        const column = (name: keyof AskedRequests) => asked.map((each) => each[name])
        const { rows } = await requests.query<GrantedRequests>(RESERVE, [
          ...[column('userId'), column('day'), column('wanted'), column('least')],
          ...[column('ahead'), column('back'), column('ofPanels'), column('limit')]
        ])
        return rows
      }),
    streams: streamSharingOver(connected, guarded, name)
  }
}
