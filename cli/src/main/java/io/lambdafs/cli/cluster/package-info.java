/** Commands on a cluster as a whole: {@code cluster start}, {@code stop}, {@code status}, {@code fsck} and {@code du}. */
@NullMarked
package io.lambdafs.cli.cluster;

import org.jspecify.annotations.NullMarked;
