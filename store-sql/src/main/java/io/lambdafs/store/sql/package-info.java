/**
 * The SQL engine: a {@link io.lambdafs.store.MetadataStore} on PostgreSQL. The database keeps the rows, with one table
 * per table of λFS; {@link io.lambdafs.store.engine.LockingStore} provides locks, transactions and fences, in the one process
 * that holds the database at a time. One thread writes commits in groups, one database transaction each, which names
 * its holder: a group from a process that has lost the database changes nothing, however late it arrives.
 */
@NullMarked
package io.lambdafs.store.sql;

import org.jspecify.annotations.NullMarked;
