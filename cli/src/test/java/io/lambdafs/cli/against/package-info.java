/** Tests of the comparison of two builds. */
@NullMarked
package io.lambdafs.cli.against;

import org.jspecify.annotations.NullMarked;
