/** The datanode's server: streams of chunks between clients and a block store, behind block tokens. */
@NullMarked
package io.lambdafs.datanode.server;

import org.jspecify.annotations.NullMarked;
