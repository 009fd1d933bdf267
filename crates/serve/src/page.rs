//! The files of the page.

use stopwise_document::html;

use crate::desk::Answer;

/// The file of this name, if the page has one.
pub(crate) fn file(name: &str) -> Option<Answer> {
    let (kind, body) = match name {
        "" => ("text/html; charset=utf-8", include_str!("../page/page.html").to_owned()),
        "page.css" => ("text/css; charset=utf-8", html::style() + include_str!("../page/page.css")),
        "page.js" => ("text/javascript; charset=utf-8", script()),
        "icon.svg" => ("image/svg+xml", include_str!("../page/icon.svg").to_owned()),
        _ => return None,
    };
    Some(Answer { status: 200, kind, body: body.into_bytes() })
}

/// The scripts in one: what each is for stands at its top.
fn script() -> String {
    let own = concat!(
        include_str!("../page/state.js"),
        include_str!("../page/ask.js"),
        include_str!("../page/controls.js"),
        include_str!("../page/editor.js"),
        include_str!("../page/results.js"),
        include_str!("../page/pinned.js"),
        include_str!("../page/along.js"),
        include_str!("../page/keep.js"),
        include_str!("../page/table.js"),
        include_str!("../page/ranking.js"),
        include_str!("../page/held.js"),
        include_str!("../page/views.js"),
        include_str!("../page/start.js"),
    );
    format!("\"use strict\";\n(() => {{\n{}\n{own}}})();\n", html::CHARTS)
}
