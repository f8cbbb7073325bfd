/**
 * {@code lambdafs bench stores}: what a store's server reaches over the wire, beside the database's own client with the same rows, and how fast
 * metadata are dumped and loaded.
 */
@NullMarked
package io.lambdafs.benchmarks.stores;

import org.jspecify.annotations.NullMarked;
