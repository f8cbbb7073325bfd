/** The available transports, by their names in settings. */
@NullMarked
package io.lambdafs.rpc.transports;

import org.jspecify.annotations.NullMarked;
