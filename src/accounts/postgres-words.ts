import { logged, type SchemaWords, statement } from './accounts-schema.ts'
import { sharingFunctions } from './postgres-sharing.ts'

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
  sharing: sharingFunctions
}

function triggerFunction(name: string, body: string): string {
  return `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$`
}
