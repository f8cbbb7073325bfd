/**
 * The closed loop of all benches: lanes send calls, each its next one when the previous one has ended, at once or at
 * set times; one recorder counts and times them. It depends on the model of operations and HdrHistogram only, so that
 * it runs in measuring processes with the jars of any file system.
 */
@NullMarked
package io.lambdafs.hammer.loop;

import org.jspecify.annotations.NullMarked;
