/** Options shared by several commands: the cluster, and the settings to start it with. */
@NullMarked
package io.lambdafs.cluster.options;

import org.jspecify.annotations.NullMarked;
