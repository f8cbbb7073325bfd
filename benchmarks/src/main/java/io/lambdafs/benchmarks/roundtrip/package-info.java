/**
 * {@code lambdafs bench roundtrip}: what a cached stat costs beyond the two messages that it is made of. The same thread of the same process
 * does, in turns, a blocking stat of λFS's own interface and a bare exchange of equally many bytes over Netty with another process.
 */
@NullMarked
package io.lambdafs.benchmarks.roundtrip;

import org.jspecify.annotations.NullMarked;
