/**
 * The SQL engine: a {@link io.lambdafs.store.MetadataStore} on PostgreSQL. The database keeps the rows, each table of λFS a table of
 * its own; locks, transactions and fences are {@link io.lambdafs.store.LockingStore}'s, in the one process that holds the database at a
 * time. One thread writes commits in groups, one database transaction each, which names its holder: a group of a process that has lost
 * the database, however late it comes, changes nothing.
 */
@NullMarked
package io.lambdafs.store.sql;

import org.jspecify.annotations.NullMarked;
