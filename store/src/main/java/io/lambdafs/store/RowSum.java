package io.lambdafs.store;

import org.jspecify.annotations.Nullable;

/**
 * Sum over consecutive rows of a table: equal for equal rows, whichever engine has them. Immutable.
 *
 * @param rows how many there are
 * @param last the key of the last one; null if there are none
 * @param checksum of the rows' bytes, as {@link io.lambdafs.store.engine.RowDigest} has them
 */
public record RowSum(long rows, @Nullable Key last, long checksum) {}
