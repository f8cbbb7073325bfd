/** The processes of a cluster: their commands, ports and logs, how they start, become ready and end. */
@NullMarked
package io.lambdafs.cluster.process;

import org.jspecify.annotations.NullMarked;
