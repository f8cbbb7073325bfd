/** Commands on a cluster as a whole: {@code cluster start}, {@code stop}, {@code status}, and {@code fsck}. */
@NullMarked
package io.lambdafs.cli.cluster;

import org.jspecify.annotations.NullMarked;
