/** A store of any engine as a process: common configuration, startup and shutdown, metrics and health. */
@NullMarked
package io.lambdafs.store.server.process;

import org.jspecify.annotations.NullMarked;
