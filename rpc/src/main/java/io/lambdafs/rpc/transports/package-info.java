/** Which transports there are, by the name that settings give them. */
@NullMarked
package io.lambdafs.rpc.transports;

import org.jspecify.annotations.NullMarked;
