// PostgreSQL: one home for the connection, which ledgers and releases share.

export {
  abandon,
  type Connection,
  connect,
  type Field,
  isPostgres,
  serverFailure,
  shownAddress,
} from './connect.js';
