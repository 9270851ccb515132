/** The newest migration that this version is written for; a test compares it with prisma/migrations. */
export const NEWEST_MIGRATION = '20261201120000_index_open_work'
