/** Handlers that bound the memory that a peer of a server holds, and the time that its requests take. */
@NullMarked
package io.lambdafs.rpc.http.guard;

import org.jspecify.annotations.NullMarked;
