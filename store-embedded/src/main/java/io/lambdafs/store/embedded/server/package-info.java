/** The embedded store as a process: its configuration, start and end, metrics and health. */
@NullMarked
package io.lambdafs.store.embedded.server;

import org.jspecify.annotations.NullMarked;
