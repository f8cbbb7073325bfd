/** Which operation comes next: a model of the namespace, and plans whose results it can tell. */
@NullMarked
package io.lambdafs.hammer.plan;

import org.jspecify.annotations.NullMarked;
