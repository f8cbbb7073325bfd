/**
 * The store: the only truth of λFS. A narrow asynchronous SPI ({@link io.lambdafs.store.MetadataStore}) of transactions over
 * typed rows with row locks, the schema that every engine keeps, the lock table that the in-memory and the embedded engine
 * share, and the in-memory engine itself.
 */
@NullMarked
package io.lambdafs.store;

import org.jspecify.annotations.NullMarked;
