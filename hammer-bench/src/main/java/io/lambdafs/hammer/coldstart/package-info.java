/** Measures how long a call takes that finds no instance, or only a prewarmed one, and where the time goes. */
@NullMarked
package io.lambdafs.hammer.coldstart;

import org.jspecify.annotations.NullMarked;
