/** How the moments of a start become figures. */
package io.lambdafs.hammer.coldstart;
