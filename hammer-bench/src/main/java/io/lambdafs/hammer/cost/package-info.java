/** What whole deployments cost while nobody uses them. */
@NullMarked
package io.lambdafs.hammer.cost;

import org.jspecify.annotations.NullMarked;
