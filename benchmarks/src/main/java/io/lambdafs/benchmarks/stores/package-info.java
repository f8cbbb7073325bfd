/**
 * {@code lambdafs bench stores}: measures a store's server over the wire, and the speed of dumping and loading
 * metadata.
 */
@NullMarked
package io.lambdafs.benchmarks.stores;

import org.jspecify.annotations.NullMarked;
