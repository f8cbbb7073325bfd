/** Tests of the load: every one runs the real generator against a small correct file system, or one with a planted fault. */
@NullMarked
package io.lambdafs.hammer;

import org.jspecify.annotations.NullMarked;
