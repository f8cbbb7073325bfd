/**
 * The NDB engine: a {@link io.lambdafs.store.MetadataStore} on MySQL NDB Cluster. Each table of λFS is a table of NDB's, partitioned by the first
 * key column; the values of a row are one column, and rows that are longer than a part of it take several. Locks, transactions and
 * fences are {@link io.lambdafs.store.LockingStore}'s, in the one process that holds the database at a time.
 */
@NullMarked
package io.lambdafs.store.ndb;

import org.jspecify.annotations.NullMarked;
