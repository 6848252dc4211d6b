import { logged, type SchemaWords, statement } from './accounts-schema.ts'
import { sharingFunctions } from './postgres-sharing.ts'
import { streamFunctions } from './postgres-streams.ts'
import { CLOSED } from './storage-error.ts'

/** How PostgreSQL writes what SQLite writes otherwise. */
export const postgresWords: SchemaWords = {
  numbered: (column) => column.primaryKey(),
  trigger: (name, event, table, action) => [
    statement(triggerFunction(name, `${action}; RETURN NULL;`)),
    statement(`CREATE TRIGGER ${name} AFTER ${event} ON ${table} FOR EACH ROW EXECUTE FUNCTION ${name}()`)
  ],
  changeLog: () => [
    // Changes are numbered in the order of their commits, which no sequence does: whoever numbers one holds the row of
    // `revision` until then.
    statement(
      triggerFunction(
        'number_change',
        `PERFORM 1 FROM revision FOR UPDATE;
         NEW.number := (SELECT coalesce(max(number), 0) + 1 FROM account_changes);
         RETURN NEW;`
      )
    ),
    statement(
      'CREATE TRIGGER number_change BEFORE INSERT ON account_changes FOR EACH ROW EXECUTE FUNCTION number_change()'
    ),
    // Users without keys are in the memory of a process too.
    ...postgresWords.trigger('log_user_insert', 'insert', 'users', logged('VALUES (NEW.id, NULL, NULL)')),
    ...postgresWords.trigger('log_user_update', 'update', 'users', logged('VALUES (NEW.id, NULL, NULL)')),
    ...postgresWords.trigger('log_user_delete', 'delete', 'users', logged('VALUES (OLD.id, NULL, NULL)'))
  ],
  sharing: sharingFunctions,
  streams: streamFunctions,
  // Each count in `revision` leaves a version of its row, which the next one of the same transaction has to pass.
  fill: (table) => ({
    before: [statement(`ALTER TABLE ${table} DISABLE TRIGGER USER`)],
    after: [statement(`ALTER TABLE ${table} ENABLE TRIGGER USER`)]
  }),
  close: (table) => [
    statement(
      triggerFunction('refuse_change', `RAISE EXCEPTION '${CLOSED}' USING ERRCODE = '${CLOSED_CODE}';`, 'OR REPLACE')
    ),
    ...postgresWords.reopen(table),
    statement(
      `CREATE TRIGGER closed_${table} BEFORE INSERT OR UPDATE OR DELETE ON ${table} EXECUTE FUNCTION refuse_change()`
    )
  ],
  reopen: (table) => [statement(`DROP TRIGGER IF EXISTS closed_${table} ON ${table}`)]
}

/** Our code of errors by CLOSED. No class of PostgreSQL begins so. */
export const CLOSED_CODE = 'GW001'

function triggerFunction(name: string, body: string, orReplace = ''): string {
  return `CREATE ${orReplace} FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$`
}
