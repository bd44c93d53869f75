//! A page: one file that fetches nothing and opens anywhere.

use super::machine;

pub(crate) use super::machine::version;

const STYLE: &str = include_str!("page.css");

/// Escapes text for HTML and SVG, within elements and within attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// A whole page around its body.
pub(crate) fn page(title: &str, heading: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>{heading}</h1>\n{body}</body>\n</html>\n"
    )
}

/// When and where a page was made, and whether it is of an optimised build.
pub(crate) fn made_here() -> String {
    let warning = if cfg!(debug_assertions) {
        "; built without optimisation, so that no time here means anything"
    } else {
        ""
    };
    format!("{}; {}{warning}", machine::today(), escape(&machine::machine()))
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn nothing_that_means_something_in_html_is_left() {
        assert_eq!(
            escape(r#"<script a="b" c='d'>&amp;</script>"#),
            "&lt;script a=&quot;b&quot; c=&#39;d&#39;&gt;&amp;amp;&lt;/script&gt;"
        );
        assert_eq!(escape("plain × text"), "plain × text");
    }
}
