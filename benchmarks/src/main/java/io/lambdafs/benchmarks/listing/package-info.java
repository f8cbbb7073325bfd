/**
 * {@code lambdafs bench listing}: how fast a directory of a million entries is listed, and how little memory of the client that takes. The
 * listing is done by a process of its own, whose heap is as small as is asked for.
 */
@NullMarked
package io.lambdafs.benchmarks.listing;

import org.jspecify.annotations.NullMarked;
