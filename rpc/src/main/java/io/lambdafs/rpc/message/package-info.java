/** The messages between clients, instances and datanodes, and how each is encoded. */
@NullMarked
package io.lambdafs.rpc.message;

import org.jspecify.annotations.NullMarked;
