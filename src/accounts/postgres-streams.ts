import { CompiledQuery } from 'kysely'
import { type SchemaWords, statement } from './accounts-schema.ts'
import type { Queries } from './database.ts'
import type { GrantedStreams, HeldStreams, RenewedStreams, SharedSet, StreamSharing } from './stream-sharing.ts'

/** How long a service that says nothing counts as living, and a set of a lost connection is kept. */
const LIVES = '10 seconds'
const KEPT = '120 seconds'
/** Without a word of any service for this long, the database was away rather than all of them. */
const ALL_SILENT = '4 seconds'
/** Any number that no other program on the server is likely to lock. */
const FORGET_LOCK = '7449922460553666925'

/** Tables and functions that count connections and places of bundles over all services. */
export const streamFunctions: SchemaWords['streams'] = () => [
  statement('CREATE TABLE stream_services (name varchar(36) PRIMARY KEY, seen_at timestamptz NOT NULL)'),
  statement(`CREATE TABLE stream_holdings (
  bundle_id varchar(36), service varchar(36), connections int NOT NULL, places int NOT NULL, PRIMARY KEY (bundle_id, service)
)`),
  statement('CREATE INDEX stream_holdings_service ON stream_holdings (service)'),
  // `until`: end of a set that no connection uses.
  statement(`CREATE TABLE stream_sets (
  token varchar(64) PRIMARY KEY, bundle_id varchar(36) NOT NULL, service varchar(36) NOT NULL, cost int NOT NULL,
  body text NOT NULL, until timestamptz, taken boolean NOT NULL DEFAULT false
)`),
  statement('CREATE INDEX stream_sets_bundle ON stream_sets (bundle_id)'),
  statement('CREATE INDEX stream_sets_service ON stream_sets (service)'),
  statement('CREATE INDEX stream_sets_until ON stream_sets (until)'),
  statement(`CREATE FUNCTION see_stream_service(me text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  was_known boolean;
  gone text;
BEGIN
  IF pg_try_advisory_xact_lock(${FORGET_LOCK}) THEN
    IF NOT EXISTS (SELECT FROM stream_services s WHERE s.seen_at > accounts_now() - interval '${ALL_SILENT}') THEN
      UPDATE stream_services SET seen_at = accounts_now();
    END IF;
    FOR gone IN
      SELECT s.name FROM stream_services s
      WHERE s.name <> me AND s.seen_at <= accounts_now() - interval '${LIVES}' FOR UPDATE SKIP LOCKED
    LOOP
      DELETE FROM stream_holdings h WHERE h.service = gone;
      DELETE FROM stream_sets s WHERE s.service = gone AND s.taken;
      UPDATE stream_sets s SET until = accounts_now() + interval '${KEPT}' WHERE s.service = gone AND s.until IS NULL;
      DELETE FROM stream_services s WHERE s.name = gone;
    END LOOP;
  END IF;
  UPDATE stream_services s SET seen_at = accounts_now() WHERE s.name = me;
  was_known := FOUND;
  IF NOT was_known THEN
    INSERT INTO stream_services VALUES (me, accounts_now()) ON CONFLICT (name) DO NOTHING;
  END IF;
  RETURN was_known;
END $$`),
  statement(`CREATE FUNCTION set_streams(me text, bundle text, of_connections int, of_places int)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF of_connections <= 0 AND of_places <= 0 THEN
    DELETE FROM stream_holdings h WHERE h.bundle_id = bundle AND h.service = me;
  ELSE
    INSERT INTO stream_holdings AS h VALUES (bundle, me, of_connections, of_places)
    ON CONFLICT (bundle_id, service) DO UPDATE SET connections = of_connections, places = of_places;
  END IF;
END $$`),
  statement(`CREATE FUNCTION hold_streams(
  me text, bundle text, of_connections int, of_places int, least_places int, most_connections int, most_places int
) RETURNS TABLE (connections int, places int, other_connections int, other_places int)
LANGUAGE plpgsql SET lock_timeout = '1500ms' AS $$
DECLARE
  had_connections int;
  had_places int;
  kept int;
  spare record;
BEGIN
  PERFORM see_stream_service(me);
  PERFORM pg_advisory_xact_lock(hashtextextended(bundle, 7));
  SELECT coalesce(sum(h.connections) FILTER (WHERE h.service <> me), 0), coalesce(sum(h.places) FILTER (WHERE h.service <> me), 0),
    coalesce(sum(h.connections) FILTER (WHERE h.service = me), 0), coalesce(sum(h.places) FILTER (WHERE h.service = me), 0)
  INTO other_connections, other_places, had_connections, had_places FROM stream_holdings h WHERE h.bundle_id = bundle;
  SELECT coalesce(sum(s.cost), 0) INTO kept FROM stream_sets s
  WHERE s.bundle_id = bundle AND s.until > accounts_now() AND NOT s.taken;
  connections := least(of_connections, greatest(had_connections, most_connections - other_connections));
  IF least_places <= most_places - other_places THEN
    FOR spare IN
      SELECT s.token, s.cost FROM stream_sets s
      WHERE s.bundle_id = bundle AND s.until > accounts_now() AND NOT s.taken ORDER BY s.until
    LOOP
      EXIT WHEN least_places <= most_places - other_places - kept;
      DELETE FROM stream_sets s WHERE s.token = spare.token;
      kept := kept - spare.cost;
    END LOOP;
  END IF;
  other_places := other_places + kept;
  places := least(least_places, greatest(had_places, most_places - other_places));
  places := places + greatest(0, least(of_places - places, (most_places - other_places - places) / 8));
  PERFORM set_streams(me, bundle, connections, places);
  RETURN NEXT;
END $$`),
  statement(`CREATE FUNCTION renew_streams(me text, bundles text[], of_connections int[], of_places int[])
RETURNS TABLE (known boolean, taken text[]) LANGUAGE plpgsql SET lock_timeout = '1500ms' AS $$
BEGIN
  known := see_stream_service(me);
  FOR k IN 1 .. cardinality(bundles) LOOP
    PERFORM set_streams(me, bundles[k], of_connections[k], of_places[k]);
  END LOOP;
  WITH ended AS (DELETE FROM stream_sets s WHERE s.service = me AND s.taken RETURNING s.token)
  SELECT coalesce(array_agg(e.token), '{}') INTO taken FROM ended e;
  DELETE FROM stream_sets s WHERE s.token IN (
    SELECT o.token FROM stream_sets o WHERE o.until <= accounts_now() FOR UPDATE SKIP LOCKED
  );
  RETURN NEXT;
END $$`),
  statement(`CREATE FUNCTION note_stream_sets(
  me text, tokens text[], bundles text[], costs int[], bodies text[], gone text[]
) RETURNS void LANGUAGE sql AS $$
  DELETE FROM stream_sets s WHERE s.token = ANY (gone);
  INSERT INTO stream_sets AS s (token, bundle_id, service, cost, body)
  SELECT n.token, n.bundle, me, n.cost, n.body FROM unnest(tokens, bundles, costs, bodies) AS n (token, bundle, cost, body)
  ON CONFLICT (token) DO UPDATE SET cost = excluded.cost, body = excluded.body WHERE NOT s.taken
$$`),
  statement(`CREATE FUNCTION save_stream_set(
  me text, bundle text, lost text, of_cost int, of_body text, of_connections int, of_places int
) RETURNS void LANGUAGE plpgsql SET lock_timeout = '1500ms' AS $$
BEGIN
  PERFORM see_stream_service(me);
  PERFORM pg_advisory_xact_lock(hashtextextended(bundle, 7));
  PERFORM set_streams(me, bundle, of_connections, of_places);
  DELETE FROM stream_sets s WHERE s.token = lost AND s.taken;
  IF FOUND THEN RETURN; END IF;
  INSERT INTO stream_sets AS s (token, bundle_id, service, cost, body, until)
  VALUES (lost, bundle, me, of_cost, of_body, accounts_now() + interval '${KEPT}')
  ON CONFLICT (token) DO UPDATE SET cost = of_cost, body = of_body, until = excluded.until;
END $$`),
  statement(`CREATE FUNCTION take_stream_set(me text, bundle text, lost text)
RETURNS TABLE (cost int, body text) LANGUAGE plpgsql SET lock_timeout = '1500ms' AS $$
DECLARE
  kept record;
BEGIN
  PERFORM see_stream_service(me);
  PERFORM pg_advisory_xact_lock(hashtextextended(bundle, 7));
  SELECT * INTO kept FROM stream_sets s
  WHERE s.token = lost AND s.bundle_id = bundle AND NOT s.taken AND (s.until IS NULL OR s.until > accounts_now()) FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  IF kept.until IS NULL AND kept.service <> me THEN
    UPDATE stream_holdings h SET places = greatest(0, h.places - kept.cost)
    WHERE h.bundle_id = bundle AND h.service = kept.service;
    UPDATE stream_sets s SET taken = true, body = '' WHERE s.token = lost;
  ELSE
    DELETE FROM stream_sets s WHERE s.token = lost;
  END IF;
  INSERT INTO stream_holdings AS h VALUES (bundle, me, 0, kept.cost)
  ON CONFLICT (bundle_id, service) DO UPDATE SET places = h.places + kept.cost;
  cost := kept.cost;
  body := kept.body;
  RETURN NEXT;
END $$`),
  statement(`CREATE FUNCTION leave_streams(me text) RETURNS void LANGUAGE sql AS $$
  DELETE FROM stream_holdings h WHERE h.service = me;
  DELETE FROM stream_sets s WHERE s.service = me AND s.taken;
  UPDATE stream_sets s SET until = accounts_now() + interval '${KEPT}' WHERE s.service = me AND s.until IS NULL;
  DELETE FROM stream_services s WHERE s.name = me
$$`)
]

/** Forgets used tickets that have expired, and notes one for longer than it is valid. */
const SPEND = `WITH gone AS (
  DELETE FROM spent_tickets WHERE id IN (
    SELECT id FROM spent_tickets WHERE expires_at < accounts_instant() FOR UPDATE SKIP LOCKED
  )
)
INSERT INTO spent_tickets (id, expires_at) VALUES ($1, accounts_instant('5 minutes')) ON CONFLICT (id) DO NOTHING RETURNING id`

interface HoldRow extends HeldStreams {
  readonly other_connections: number
  readonly other_places: number
}

/** Streams over a PostgreSQL server. `guarded` converts errors of its connections. */
export function streamSharingOver(
  connected: Queries,
  guarded: <Result>(work: () => Promise<Result>) => Promise<Result>,
  name: string
): StreamSharing {
  const rowsOf = <Row>(text: string, parameters: readonly unknown[]) =>
    guarded(async () => (await connected.executeQuery<Row>(CompiledQuery.raw(text, [name, ...parameters]))).rows)
  return {
    async hold({ bundleId, connections, places, leastPlaces, limit }): Promise<GrantedStreams> {
      const asked = [bundleId, connections, places, leastPlaces, limit.connections, limit.places]
      const [row] = await rowsOf<HoldRow>('SELECT * FROM hold_streams($1, $2, $3, $4, $5, $6, $7)', asked)
      const { other_connections, other_places, ...held } = row!
      return { ...held, others: { connections: other_connections, places: other_places } }
    },
    async renew(held): Promise<RenewedStreams> {
      const bundles = held.map(({ bundleId }) => bundleId)
      const counts = [held.map(({ connections }) => connections), held.map(({ places }) => places)]
      const [row] = await rowsOf<RenewedStreams>('SELECT * FROM renew_streams($1, $2, $3, $4)', [bundles, ...counts])
      return row!
    },
    async note(sets, gone) {
      const column = (of: keyof SharedSet) => sets.map((set) => set[of])
      const columns = [column('token'), column('bundleId'), column('cost'), column('body')]
      await rowsOf('SELECT note_stream_sets($1, $2, $3, $4, $5, $6)', [...columns, gone])
    },
    async save({ bundleId, token, cost, body }, { connections, places }) {
      const asked = [bundleId, token, cost, body, connections, places]
      await rowsOf('SELECT save_stream_set($1, $2, $3, $4, $5, $6, $7)', asked)
    },
    async take(token, bundleId) {
      const rows = await rowsOf<Pick<SharedSet, 'cost' | 'body'>>('SELECT * FROM take_stream_set($1, $2, $3)', [
        bundleId,
        token
      ])
      return rows[0]
    },
    spend: (ticket) =>
      guarded(async () => (await connected.executeQuery(CompiledQuery.raw(SPEND, [ticket]))).rows.length > 0),
    leave: async () => void (await rowsOf('SELECT leave_streams($1)', []))
  }
}
