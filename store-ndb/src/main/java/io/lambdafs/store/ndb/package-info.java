/**
 * The NDB engine: a {@link io.lambdafs.store.MetadataStore} on MySQL NDB Cluster. Each table of λFS is an NDB table,
 * partitioned by the first key column; the values of a row are one column, and rows longer than a part of it take
 * several. {@link io.lambdafs.store.engine.LockingStore} provides locks, transactions and fences, in the one process that
 * holds the database at a time.
 */
@NullMarked
package io.lambdafs.store.ndb;

import org.jspecify.annotations.NullMarked;
