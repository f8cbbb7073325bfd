/** The command {@code quota}: limits of directories. */
@NullMarked
package io.lambdafs.cluster.quota;

import org.jspecify.annotations.NullMarked;
