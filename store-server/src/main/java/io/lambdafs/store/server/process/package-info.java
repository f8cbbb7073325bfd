/** A store of any engine as a process: what all engines' configurations share, start and end, metrics and health. */
@NullMarked
package io.lambdafs.store.server.process;

import org.jspecify.annotations.NullMarked;
