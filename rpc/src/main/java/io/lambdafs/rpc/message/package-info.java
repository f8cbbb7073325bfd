/** Messages between clients and instances, and a compact binary codec of registered types, theirs and others'. */
@NullMarked
package io.lambdafs.rpc.message;

import org.jspecify.annotations.NullMarked;
