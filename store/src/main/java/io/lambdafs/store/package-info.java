/**
 * The metadata store, λFS's source of truth: a narrow asynchronous SPI ({@link io.lambdafs.store.MetadataStore}) of
 * transactions over typed rows with row locks, and the schema of all engines. Engines without locks of their own share
 * {@link io.lambdafs.store.lock} and {@link io.lambdafs.store.engine}.
 */
@NullMarked
package io.lambdafs.store;

import org.jspecify.annotations.NullMarked;
