/**
 * Fuzz targets of decoders. A target is a class {@code …Fuzz} with a method {@code fuzzerTestOneInput(byte[])}: it
 * returns, or
 * throws what is a finding. {@link Replay} runs it on its seeds and on seeded mutations of them, in every build; Jazzer can drive it
 * as it is, for as long as one likes.
 */
@NullMarked
package io.lambdafs.rpc.fuzz;

import org.jspecify.annotations.NullMarked;
