/**
 * The metadata store, λFS's source of truth: a narrow asynchronous SPI ({@link io.lambdafs.store.MetadataStore}) of
 * transactions over typed rows with row locks, the schema of all engines, the lock table shared by engines without
 * their own, and the in-memory engine.
 */
@NullMarked
package io.lambdafs.store;

import org.jspecify.annotations.NullMarked;
