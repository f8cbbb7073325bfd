/** Helpers for tests of every module: time under their control. */
@NullMarked
package io.lambdafs.model.testkit;

import org.jspecify.annotations.NullMarked;
