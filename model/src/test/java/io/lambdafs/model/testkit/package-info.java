/** What tests of every module share: time under their control. */
@NullMarked
package io.lambdafs.model.testkit;

import org.jspecify.annotations.NullMarked;
