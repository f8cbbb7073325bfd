/** The embedded store as a process. */
@NullMarked
package io.lambdafs.store.embedded.server;

import org.jspecify.annotations.NullMarked;
