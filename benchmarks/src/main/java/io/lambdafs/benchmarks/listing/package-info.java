/**
 * {@code lambdafs bench listing}: measures how fast a directory of a million entries is listed, and how little client
 * memory that takes. A process with a heap as small as requested does the listing.
 */
@NullMarked
package io.lambdafs.benchmarks.listing;

import org.jspecify.annotations.NullMarked;
