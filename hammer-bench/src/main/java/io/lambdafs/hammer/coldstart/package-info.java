/** How long a call takes that finds no instance, or one that is only prewarmed, and where the time goes. */
@NullMarked
package io.lambdafs.hammer.coldstart;

import org.jspecify.annotations.NullMarked;
