/** Tests of the closed loop. */
@NullMarked
package io.lambdafs.hammer.loop;

import org.jspecify.annotations.NullMarked;
